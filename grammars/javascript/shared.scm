; What JavaScript and TypeScript have in common.

; Definitions.
(function_declaration name: (_) @name body: (_) @body) @function
(generator_function_declaration name: (_) @name body: (_) @body) @function
(class_declaration name: (_) @name body: (_) @body) @class
(method_definition name: (_) @name body: (_) @body) @method
(class_static_block body: (_) @body) @block

; A name whose value is a function or a class is that function or class.
(variable_declarator name: (identifier) @name value: (arrow_function body: (_) @body)) @function
(variable_declarator name: (identifier) @name value: (function_expression body: (_) @body)) @function
(variable_declarator name: (identifier) @name value: (generator_function body: (_) @body)) @function
(variable_declarator name: (identifier) @name value: (class body: (_) @body)) @class
(variable_declarator
  value: [(arrow_function) (function_expression) (generator_function) (class)] @skip)

; So is one whose value is a function handed through a call: `const f = memo(() => …)`.
(variable_declarator
  name: (identifier) @name
  value: (call_expression
    function: [(identifier) (member_expression object: (identifier))]
    arguments: (arguments
      . [(arrow_function body: (_) @body) (function_expression body: (_) @body)]))) @function
(variable_declarator
  value: (call_expression
    function: [(identifier) (member_expression object: (identifier))]
    arguments: (arguments . [(arrow_function) (function_expression)] @skip)))

; Members of objects that hold a function or an object.
(pair key: (_) @name value: (arrow_function body: (_) @body)) @method
(pair key: (_) @name value: (function_expression body: (_) @body)) @method
(pair key: (_) @name value: (generator_function body: (_) @body)) @method
(pair key: (_) @name value: (class body: (_) @body)) @class
(pair value: [(arrow_function) (function_expression) (generator_function) (class)] @skip)
(pair key: (_) @name @header value: (object) @body) @key

; Assignments that define: `exports.f = function () {}`, `A.prototype.m = …`.
(expression_statement
  (assignment_expression
    left: [(identifier) @name (member_expression property: (_) @name) (subscript_expression index: (string) @name)]
    right: (arrow_function body: (_) @body))) @function
(expression_statement
  (assignment_expression
    left: [(identifier) @name (member_expression property: (_) @name) (subscript_expression index: (string) @name)]
    right: (function_expression body: (_) @body))) @function
(expression_statement
  (assignment_expression
    left: [(identifier) @name (member_expression property: (_) @name) (subscript_expression index: (string) @name)]
    right: (generator_function body: (_) @body))) @function
(expression_statement
  (assignment_expression
    left: [(identifier) @name (member_expression property: (_) @name) (subscript_expression index: (string) @name)]
    right: (class body: (_) @body))) @class
(expression_statement
  (assignment_expression
    right: [(arrow_function) (function_expression) (generator_function) (class)] @skip))
(expression_statement
  (assignment_expression left: (member_expression property: (_) @name) right: (_) @body)) @variable

; What a module exports without a name.
(export_statement value: (arrow_function body: (_) @body)) @function
(export_statement value: (function_expression body: (_) @body)) @function
(export_statement value: (generator_function body: (_) @body)) @function
(export_statement value: (class body: (_) @body)) @class
(export_statement
  value: [(arrow_function) (function_expression) (generator_function) (class)] @skip)
(export_statement value: (_) @body) @variable

; Variables, but not those that count a loop or that an initializer has for itself.
(lexical_declaration
  kind: "const"
  (variable_declarator
    name: [(identifier) @name (object_pattern) (array_pattern)]
    value: (_)? @body) @constant)
(lexical_declaration
  kind: "let"
  (variable_declarator
    name: [(identifier) @name (object_pattern) (array_pattern)]
    value: (_)? @body) @variable)
(variable_declaration
  (variable_declarator
    name: [(identifier) @name (object_pattern) (array_pattern)]
    value: (_)? @body) @variable)
(for_statement
  initializer: [
    (lexical_declaration (variable_declarator) @skip)
    (variable_declaration (variable_declarator) @skip)
  ])

(class_static_block
  body: (statement_block
    [
      (expression_statement) @skip
      (lexical_declaration (variable_declarator) @skip)
      (variable_declaration (variable_declarator) @skip)
    ]))

; A statement that hands a function to a call is that function: `it('works', () => { … });`.
(expression_statement
  [
    (call_expression
      function: [(identifier) (member_expression object: [(identifier) (this)])]
      arguments: (arguments
        . [(string) (template_string) (identifier) (member_expression)]?
        . [(arrow_function body: (_) @body) (function_expression body: (_) @body)]))
    (await_expression
      (call_expression
        function: [(identifier) (member_expression object: [(identifier) (this)])]
        arguments: (arguments
          . [(string) (template_string) (identifier) (member_expression)]?
          . [(arrow_function body: (_) @body) (function_expression body: (_) @body)])))
  ]) @lambda
(expression_statement
  [
    (call_expression
      function: [(identifier) (member_expression object: [(identifier) (this)])]
      arguments: (arguments
        . [(string) (template_string) (identifier) (member_expression)]?
        . [(arrow_function) (function_expression)] @skip))
    (await_expression
      (call_expression
        function: [(identifier) (member_expression object: [(identifier) (this)])]
        arguments: (arguments
          . [(string) (template_string) (identifier) (member_expression)]?
          . [(arrow_function) (function_expression)] @skip)))
  ])

; Functions and classes inside expressions.
(arrow_function body: (_) @body) @lambda
(function_expression name: (_) @name body: (_) @body) @function
(function_expression !name body: (_) @body) @lambda
(generator_function name: (_) @name body: (_) @body) @function
(generator_function !name body: (_) @body) @lambda
(class name: (_)? @name body: (_) @body) @class

; Blocks.
(if_statement consequence: (_) @body) @block
(else_clause (if_statement consequence: (_) @body @end)) @block
(else_clause (if_statement) @skip)
(else_clause (statement) @body) @block
(for_statement body: (_) @body) @block
(for_in_statement body: (_) @body) @block
(while_statement body: (_) @body) @block
(do_statement body: (_) @body) @block
(with_statement body: (_) @body) @block
(try_statement body: (_) @body) @block
(catch_clause body: (_) @body) @block
(finally_clause body: (_) @body) @block
(switch_statement body: (_) @body) @block
(switch_case body: (_) @body) @block
(switch_case !body) @block
(switch_default body: (_) @body) @block
(switch_default !body) @block
(labeled_statement body: (statement_block) @body) @block
