<?php
function f($list) {
    if ($a) {
        one();
    } elseif ($b) {
        two();
    } else if ($c) three();
    else if ($d) { four(); }
    # about else
    else {
        five();
    }
    if ($a):
        one();
    elseif ($b):
        two();
    else:
        three();
    endif;
    for ($i = 0, $j = 1; $i < 3; $i++) { echo $i; }
    for (;;): break; endfor;
    for (;;);
    foreach ($list as $key => &$value) { continue 2; }
    foreach ($list as [$a, $b]):
        echo $a;
    endforeach;
    while (true) { break; }
    while ($x): x(); endwhile;
    do { y(); } while ($y);
    switch ($kind) {
        case 'a':
        case 'b': // both
            one();
            break;
        default:
            two();
    }
    switch ($kind): case 1: one(); endswitch;
    $r = match (true) {
        $x > 1, $x < 0 => 'a',
        $y => fn ($z) => $z,
        default => throw new \Exception(),
    };
    try {
        risky();
    } catch (A | B $e) {
        log($e);
    } catch (\Throwable) {
    } finally {
        close();
    }
    usort($list, fn ($a, $b) => $a <=> $b);
    array_map(function ($x) use ($r) { return $x; }, $list);
    $this->f = function () {};
    $text = <<<'TEXT'
verbatim {
    TEXT;
    function inner() {}
    declare(ticks=1) { z(); }
    label:
    goto label;
    if ($a) b(); else c();
}
if (!function_exists('g')) {
    function g() {}
}
