#!/usr/bin/env php
<?php

declare(strict_types=1);

namespace App\Models;

use App\Base;
use function strlen, count;

// How many.
const LIMIT = 10, OTHER = 'x';
define('OLD', 1);
$config = ['debug' => true, 'db' => ['host' => 'x', 'make' => fn () => 1], 'run' => function () { return 2; }];
$twice = fn (int $x): int => $x * 2;
$handler = static function (array $a) use ($config, &$b): void {
    echo $a;
};

/**
 * Adds.
 */
#[Pure]
function &add(int $a, ?string $b = null, ...$rest): int|false
{
    $local = 1;
    return $a + $b;
} // end of add

/**
 * A user.
 */
#[Entity, Table(name: 'users')]
#[Other]
abstract class User extends Base implements \Countable, Other
{
    use HasFactory, Other { run as protected go; }

    public const A = 1, B = 2;
    final protected const string C = 'c'; // third
    public static ?string $name = 'x', $other;
    private readonly int $count;
    var $old = [1, 2];
    #[Column]
    protected array $items = [
        'a' => ['b' => 1],
    ];
    public string $full {
        get => $this->first . ' ' . $this->last;
        set(string $value) { $this->first = $value; }
    }
    public private(set) int $seen = 0;

    public function __construct(
        #[Inject] private readonly Foo $foo,
        protected int $x = 0,
    ) {
        parent::__construct();
    }

    /** Finds. */
    // why
    #[Route('/find')]
    final public static function find(int $id): static { return new static(); }
    abstract protected function kind(): string;
    function plain() { return <<<SQL
        SELECT {$this->x}
          FROM t
        SQL; }
    private function gen(): iterable { yield 1; }
}

interface Shape extends A, B
{
    const PI = 3;
    public function area(): float;
}
trait Loggable { private $log; public static function log() {} }
enum Suit: string implements HasLabel
{
    case Hearts = 'H'; // red
    #[Deprecated]
    case Spades = 'S';
    const Wild = self::Spades;
    public function label(): string { return ucfirst($this->value); }
}
enum Plain { case A; }
final readonly class Value {}

$object = new class(1) extends Base { public function run() {} };
return new class extends Migration {
    public function up(): void {}
};
