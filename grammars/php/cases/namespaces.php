<?php
/** License. */

/** About one. */
namespace One {
    const A = 1;
    function f() {}
    class C { const A = 2; }
}
namespace {
    $x = 1;
    function f() {}
}
