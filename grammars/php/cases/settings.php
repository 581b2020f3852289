<?php

return [
    // the name
    'name' => env('NAME', 'x'),
    'connections' => [
        'mysql' => [
            'driver' => 'mysql',
            'options' => array('a' => array(1)),
        ],
        "sqlite" => [],
        Foo::class => ['x'],
    ],
    'boot' => static function (App $app): void { $app->boot(); },
    ['unnamed' => 1],
];
