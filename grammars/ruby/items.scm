; Definitions.
(module name: (_) @name body: (_) @body) @module
(module name: (_) @name "end" @until) @module
(class name: (_) @name body: (_) @body) @class
(class name: (_) @name "end" @until) @class
(singleton_class body: (_) @body) @class
(singleton_class "end" @until) @class
(method name: (_) @name body: (_) @body) @function
(method name: (_) @name "end" @until) @function
(singleton_method name: (_) @name body: (_) @body) @function
(singleton_method name: (_) @name "end" @until) @function
(alias name: (_) @name) @function

; A definition behind a word that says who may call it.
(call
  method: (identifier) @_word
  arguments: (argument_list . [(method) (singleton_method)] @skip .)
  (#any-of? @_word "private" "public" "protected" "private_class_method" "module_function"))
(call
  method: (identifier) @_word
  arguments: (argument_list . [
    (method name: (_) @name body: (_) @body)
    (singleton_method name: (_) @name body: (_) @body)
  ] .)
  (#any-of? @_word "private" "public" "protected" "private_class_method" "module_function")) @function
(call
  method: (identifier) @_word
  arguments: (argument_list . [
    (method name: (_) @name "end" @until)
    (singleton_method name: (_) @name "end" @until)
  ] .)
  (#any-of? @_word "private" "public" "protected" "private_class_method" "module_function")) @function

; Constants, and variables outside of methods and blocks.
(assignment left: [(constant) (scope_resolution)] @name right: (_) @body) @constant
(assignment left: (global_variable) @name right: (_) @body) @variable
(program (assignment left: [(identifier) (instance_variable)] @name right: (_) @body) @variable)
(class
  body: (body_statement
    (assignment left: [(instance_variable) (class_variable)] @name right: (_) @body) @variable))
(module
  body: (body_statement
    (assignment left: [(instance_variable) (class_variable)] @name right: (_) @body) @variable))
(call
  method: (identifier) @_method
  arguments: (argument_list . (simple_symbol) @name)
  (#match? @_method "^attr(_reader|_writer|_accessor)?$")) @field

; Blocks.
(if consequence: (_) @body) @block
(if condition: (_) ["end" (elsif) (else)] @until) @block
(unless consequence: (_) @body) @block
(unless condition: (_) ["end" (else)] @until) @block
(elsif consequence: (_) @body @end) @block
(elsif condition: (_) @end [(elsif) (else)] @until) @block
(elsif) @block
(else (_) @contents) @block
(else) @block
(case [(when) (else)] @contents) @block
(case_match [(in_clause) (else)] @contents) @block
(when body: (_) @body) @block
(when) @block
(in_clause body: (_) @body) @block
(in_clause) @block
(while body: (_) @body) @block
(until body: (_) @body) @block
(for body: (_) @body) @block
(begin (_) @contents) @block
(begin "end" @until) @block
(rescue body: (_) @body) @block
(rescue) @block
(ensure (_) @contents) @block
(ensure) @block
(lambda body: (_) @body) @lambda

; Calls with a block: `describe "it" do`. A chain of them is one, called by its first.
(call receiver: (call block: (_ body: (_) @until)) block: (_ body: (_) @body)) @block
(call receiver: (call receiver: (call block: (_ body: (_) @until))) block: (_ body: (_) @body)) @block
(call block: (do_block body: (_) @body)) @block
(call block: (do_block "end" @until)) @block
(call block: (block body: (_) @body)) @block
(call block: (block "}" @until)) @block
