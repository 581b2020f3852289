; Definitions.
(namespace_definition name: (_)? @name body: (_) @body) @module
(namespace_definition name: (_) @name !body) @module
(function_definition name: (_) @name body: (_) @body) @function
(class_declaration name: (_) @name body: (_) @body) @class
(interface_declaration name: (_) @name body: (_) @body) @interface
(trait_declaration name: (_) @name body: (_) @body) @trait
(enum_declaration name: (_) @name body: (_) @body) @enum
(enum_case name: (_) @name value: (_)? @body) @variant
(method_declaration name: (_) @name body: (_)? @body) @method
(const_element . (name) @name "=" (_) @body) @constant
(property_declaration (property_element name: (_) @name) (property_hook_list) @body) @field
(property_declaration (property_element) @skip (property_hook_list))
(property_element name: (_) @name default_value: (_)? @body) @field
(property_hook (name) @name body: (_)? @body) @method
(object_creation_expression (anonymous_class body: (_) @body)) @class

; A name whose value is a function is that function.
(expression_statement
  (assignment_expression
    left: [
      (variable_name) @name
      (member_access_expression name: (_) @name)
      (scoped_property_access_expression name: (_) @name)
      (subscript_expression)
    ]
    right: [(anonymous_function body: (_) @body) (arrow_function body: (_) @body)])) @function
(expression_statement
  (assignment_expression right: [(anonymous_function) (arrow_function)] @skip))
(expression_statement
  (assignment_expression left: (variable_name) @name right: (_) @body)) @variable

; Elements of arrays that hold a function or an array.
(array_element_initializer
  . (_) @name "=>" (anonymous_function body: (_) @body)) @method
(array_element_initializer . (_) @name "=>" (arrow_function body: (_) @body)) @method
(array_element_initializer "=>" [(anonymous_function) (arrow_function)] @skip)
(array_element_initializer . (_) @name @header "=>" (array_creation_expression) @body) @key

; Functions inside expressions.
(anonymous_function body: (_) @body) @lambda
(arrow_function body: (_) @body) @lambda

; Blocks. A branch of which the body is HTML ends with that; the library takes the same of an
; `else` to be impossible.
(if_statement
  (else_if_clause body: (_) @body) @block . (text_interpolation (text) @end))
(if_statement body: (_) @body) @block
(else_if_clause body: (_) @body) @block
(else_clause body: (if_statement body: (_) @body @end)) @block
(else_clause body: (if_statement) @skip)
(else_clause body: (_) @body) @block
(for_statement body: (_) @body) @block
(for_statement !body) @block
(foreach_statement body: (_) @body) @block
(foreach_statement !body) @block
(while_statement body: (_) @body) @block
(do_statement body: (_) @body) @block
(switch_statement body: (_) @body) @block
(case_statement (statement) @body) @block
(case_statement) @block
(default_statement (statement) @body) @block
(default_statement) @block
(match_expression body: (_) @body) @block
(match_conditional_expression return_expression: (_) @body) @block
(match_default_expression return_expression: (_) @body) @block
(try_statement body: (_) @body) @block
(catch_clause body: (_) @body) @block
(finally_clause body: (_) @body) @block
