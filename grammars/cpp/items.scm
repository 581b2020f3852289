; What C++ has besides C; the query of C comes after this one.

; Classes.
(declaration type: (class_specifier body: (_)) @skip)
(field_declaration type: (class_specifier body: (_)) @skip)
(class_specifier name: (_)? @name body: (_) @body) @class
(declaration
  type: (class_specifier body: (_) @body)
  declarator: [(identifier) @name (_ declarator: (identifier) @name)]) @class
(field_declaration type: (class_specifier name: (_) @name body: (_) @body) !declarator) @class
(field_declaration
  type: (class_specifier body: (_) @body)
  declarator: [
    (field_identifier) @name
    (_ declarator: (field_identifier) @name)
    (_ declarator: (_ declarator: (field_identifier) @name))]) @class
(field_declaration type: (class_specifier body: (_) @body)) @class

; Functions that C has no declarators for.
(function_definition
  declarator: (reference_declarator (function_declarator declarator: (_) @name))
  body: (_) @body) @function
(function_definition
  declarator: (operator_cast "operator" @name type: (_) @name) body: (_) @body) @function
(function_definition
  declarator: (operator_cast
    "operator" @name type: (_) @name declarator: (abstract_reference_declarator))
  body: (_) @body) @function
(function_definition
  declarator: (function_declarator declarator: (_) @name) (try_statement) @body) @function
(function_definition
  declarator: (function_declarator declarator: (_) @name) !body) @function
(function_definition
  declarator: (reference_declarator (function_declarator declarator: (_) @name)) !body) @function
(function_definition
  declarator: (pointer_declarator declarator: (function_declarator declarator: (_) @name))
  !body) @function
(function_definition !body) @function
(declaration
  declarator: (reference_declarator (function_declarator declarator: (_) @name))) @function
(declaration declarator: (operator_cast "operator" @name type: (_) @name)) @function
(declaration
  declarator: (init_declarator
    declarator: (reference_declarator (function_declarator declarator: (_) @name)))) @function
(declaration
  declarator: (init_declarator
    declarator: (function_declarator declarator: (qualified_identifier) @name))) @function
(field_declaration
  declarator: (function_declarator
    declarator: (parenthesized_declarator
      (pointer_declarator declarator: (field_identifier) @name)))
  default_value: (_)? @body) @field
(field_declaration declarator: (function_declarator declarator: (_) @name)) @method
(field_declaration
  declarator: (pointer_declarator declarator: (function_declarator declarator: (_) @name))) @method
(field_declaration
  declarator: (reference_declarator (function_declarator declarator: (_) @name))) @method
(lambda_expression body: (_) @body) @lambda

; Fields and variables.
(field_declaration
  type: [
    (primitive_type) (sized_type_specifier) (type_identifier) (qualified_identifier) (template_type)]
  declarator: (_) @name "," (_) @name . ";") @field
(field_declaration
  declarator: [
    (field_identifier) @name
    (_ declarator: (field_identifier) @name)
    (_ (field_identifier) @name)]
  default_value: (_) @body) @field
(field_declaration declarator: (reference_declarator (field_identifier) @name)) @field
(declaration
  declarator: (init_declarator
    declarator: [
      (qualified_identifier) @name
      (_ declarator: (qualified_identifier) @name)
      (reference_declarator (identifier) @name)]
    value: (_) @body)) @variable
(declaration
  declarator: [
    (qualified_identifier) @name
    (_ declarator: (qualified_identifier) @name)
    (reference_declarator (identifier) @name)]) @variable

; Namespaces and types.
(namespace_definition name: (_)? @name body: (_) @body) @module
(alias_declaration name: (_) @name type: (_) @body) @type
(concept_definition name: (_) @name "=" . (_) @body) @type

; Blocks.
(for_range_loop body: (_) @body) @block
(try_statement body: (_) @body) @block
(catch_clause body: (_) @body) @block

