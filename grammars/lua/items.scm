; Functions.
(function_declaration
  name: (method_index_expression method: (_) @name) body: (_) @body) @method
(function_declaration name: (method_index_expression method: (_) @name) "end" @until) @method
(function_declaration
  name: [(identifier) @name (dot_index_expression field: (_) @name)] body: (_) @body) @function
(function_declaration
  name: [(identifier) @name (dot_index_expression field: (_) @name)] "end" @until) @function

; A name whose only value is a function is that function.
(assignment_statement
  (variable_list . name: [
    (identifier) @name
    (dot_index_expression field: (_) @name)
    (bracket_index_expression field: (string) @name)])
  (expression_list . value: (function_definition body: (_) @body) .)) @function
(assignment_statement
  (variable_list . name: [
    (identifier) @name
    (dot_index_expression field: (_) @name)
    (bracket_index_expression field: (string) @name)])
  (expression_list . value: (function_definition "end" @until) .)) @function
(assignment_statement (expression_list . value: (function_definition) @skip .))

; Variables, called by the first of their names.
(assignment_statement
  (variable_list name: (_) @name attribute: (attribute (identifier) @_attribute))
  (expression_list) @body
  (#eq? @_attribute "const")) @constant
(variable_declaration (variable_list name: (_) @name)) @variable
(assignment_statement
  (variable_list name: [
    (identifier) @name
    (dot_index_expression field: (_) @name)
    (bracket_index_expression field: (string) @name)])
  (expression_list) @body) @variable

; Members of tables that are a function or a table.
(field name: (_) @name value: (function_definition body: (_) @body)) @method
(field name: (_) @name value: (function_definition "end" @until)) @method
(field value: (function_definition) @skip)
(field name: (_) @name @header value: (table_constructor) @body) @key

; A call that is handed a function is that function: `describe("it", function() … end)`.
(function_call
  name: [
    (identifier)
    (dot_index_expression table: (identifier))
    (method_index_expression table: (identifier))]
  arguments: (arguments
    . [(string) (identifier) (dot_index_expression)]?
    . (function_definition body: (_) @body))) @lambda
(function_call
  name: [
    (identifier)
    (dot_index_expression table: (identifier))
    (method_index_expression table: (identifier))]
  arguments: (arguments
    . [(string) (identifier) (dot_index_expression)]?
    . (function_definition "end" @until))) @lambda
(function_call
  name: [
    (identifier)
    (dot_index_expression table: (identifier))
    (method_index_expression table: (identifier))]
  arguments: (arguments
    . [(string) (identifier) (dot_index_expression)]?
    . (function_definition) @skip))

; Functions without a name.
(function_definition body: (_) @body) @lambda
(function_definition "end" @until) @lambda

; Blocks.
(if_statement consequence: (_) @body) @block
(if_statement ["end" (elseif_statement) (else_statement)] @until) @block
(elseif_statement consequence: (_) @body) @block
(elseif_statement) @block
(else_statement body: (_) @body) @block
(else_statement) @block
(for_statement body: (_) @body) @block
(for_statement "end" @until) @block
(while_statement body: (_) @body) @block
(while_statement "end" @until) @block
(repeat_statement body: (_) @body) @block
(repeat_statement "until" @until) @block
(do_statement body: (_) @body) @block
(do_statement "end" @until) @block
