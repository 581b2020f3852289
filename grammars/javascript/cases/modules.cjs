const path = require('path');

module.exports = {
  name: 'tool',
  run(input) { return input; },
  stop: function (code) { process.exit(code); },
  go: async () => {
    await 1;
  },
  get ready() { return true; },
  'quoted-key': { deep: { deeper: 1 } },
  [computed]: () => 2,
  list: [1, 2],
  shorthand,
  ...rest,
};
exports.one = function one(a) { return a; };
exports.two = (a) => a;
exports.limit = 3;
Point.prototype.move = function (dx) {
  this.x += dx;
};
Point.defaults = { x: 0 };
window['name'] = function () {};
start = function () {};
exports = module.exports = Point;

(function (global) {
  function inner() {}
  var self = this;
})(this);

$(document).ready(function () { init(); });
