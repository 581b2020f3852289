; Functions and their prototypes. A pattern cannot follow a chain of declarators, so the pointers
; that a function returns are spelled out.
(compound_statement (declaration) @skip)
(case_statement (declaration) @skip)
(function_definition
  declarator: (function_declarator
    declarator: (parenthesized_declarator
      (pointer_declarator declarator: (function_declarator declarator: (_) @name))))
  body: (_) @body) @function
(function_definition
  declarator: (function_declarator declarator: (_) @name) body: (_) @body) @function
(function_definition
  declarator: (pointer_declarator declarator: (function_declarator declarator: (_) @name))
  body: (_) @body) @function
(function_definition
  declarator: (pointer_declarator
    declarator: (pointer_declarator declarator: (function_declarator declarator: (_) @name)))
  body: (_) @body) @function
(function_definition declarator: (_) @name body: (_) @body) @function
(declaration
  declarator: (function_declarator
    declarator: (parenthesized_declarator
      (pointer_declarator declarator: (identifier) @name)))) @variable
(declaration
  declarator: (function_declarator
    declarator: (parenthesized_declarator
      (pointer_declarator declarator: (function_declarator declarator: (_) @name))))) @function
(declaration declarator: (function_declarator declarator: (_) @name)) @function
(declaration
  declarator: (pointer_declarator declarator: (function_declarator declarator: (_) @name))) @function
(declaration
  declarator: (pointer_declarator
    declarator: (pointer_declarator
      declarator: (function_declarator declarator: (_) @name)))) @function

; Structs, unions, enumerations.
(declaration
  type: [(struct_specifier body: (_)) (union_specifier body: (_)) (enum_specifier body: (_))] @skip)
(type_definition
  type: [(struct_specifier body: (_)) (union_specifier body: (_)) (enum_specifier body: (_))] @skip)
(field_declaration
  type: [(struct_specifier body: (_)) (union_specifier body: (_)) (enum_specifier body: (_))] @skip)
(struct_specifier name: (_)? @name body: (_) @body) @struct
(union_specifier name: (_)? @name body: (_) @body) @struct
(enum_specifier name: (_)? @name body: (_) @body) @enum
(enumerator name: (_) @name value: (_)? @body) @variant

; Types.
(type_definition type: (struct_specifier body: (_) @body) declarator: (_) @name) @struct
(type_definition type: (union_specifier body: (_) @body) declarator: (_) @name) @struct
(type_definition type: (enum_specifier body: (_) @body) declarator: (_) @name) @enum
(type_definition declarator: (type_identifier) @name) @type
(type_definition declarator: (primitive_type) @name) @type
(type_definition declarator: (_ declarator: (type_identifier) @name)) @type
(type_definition declarator: (_ declarator: (_ declarator: (type_identifier) @name))) @type
(type_definition
  declarator: (_ declarator: (parenthesized_declarator
    (pointer_declarator declarator: (type_identifier) @name)))) @type
(type_definition) @type

; Variables and fields, some with a struct of their own. What declares several is called by all of
; their names, so that no operation on one of them takes the others along.
(declaration
  type: (struct_specifier body: (_) @body)
  declarator: [
    (identifier) @name
    (_ declarator: (identifier) @name)
    (_ declarator: (_ declarator: (identifier) @name))]) @struct
(declaration
  type: (union_specifier body: (_) @body)
  declarator: [
    (identifier) @name
    (_ declarator: (identifier) @name)
    (_ declarator: (_ declarator: (identifier) @name))]) @struct
(declaration
  type: (enum_specifier body: (_) @body)
  declarator: [
    (identifier) @name
    (_ declarator: (identifier) @name)
    (_ declarator: (_ declarator: (identifier) @name))]) @enum
(declaration declarator: (_) @name "," (_) @name . ";") @variable
(declaration
  declarator: (init_declarator declarator: [
    (identifier) @name
    (_ declarator: (identifier) @name)
    (_ declarator: (_ declarator: (identifier) @name))
    (_ declarator: (parenthesized_declarator
      (pointer_declarator declarator: (identifier) @name)))] value: (_) @body)) @variable
(declaration declarator: (init_declarator value: (_) @body)) @variable
(declaration declarator: [
  (identifier) @name
  (_ declarator: (identifier) @name)
  (_ declarator: (_ declarator: (identifier) @name))]) @variable
(declaration) @variable
(field_declaration type: (struct_specifier name: (_) @name body: (_) @body) !declarator) @struct
(field_declaration type: (union_specifier name: (_) @name body: (_) @body) !declarator) @struct
(field_declaration type: (enum_specifier name: (_) @name body: (_) @body) !declarator) @enum
(field_declaration
  type: (struct_specifier body: (_) @body)
  declarator: [
    (field_identifier) @name
    (_ declarator: (field_identifier) @name)
    (_ declarator: (_ declarator: (field_identifier) @name))]) @struct
(field_declaration type: (struct_specifier body: (_) @body)) @struct
(field_declaration
  type: (union_specifier body: (_) @body)
  declarator: [
    (field_identifier) @name
    (_ declarator: (field_identifier) @name)
    (_ declarator: (_ declarator: (field_identifier) @name))]) @struct
(field_declaration type: (union_specifier body: (_) @body)) @struct
(field_declaration
  type: (enum_specifier body: (_) @body)
  declarator: [
    (field_identifier) @name
    (_ declarator: (field_identifier) @name)
    (_ declarator: (_ declarator: (field_identifier) @name))]) @enum
(field_declaration type: (enum_specifier body: (_) @body)) @enum
(field_declaration declarator: (_) @name "," (_) @name . ";") @field
(field_declaration declarator: [
  (field_identifier) @name
  (_ declarator: (field_identifier) @name)
  (_ declarator: (_ declarator: (field_identifier) @name))
  (_ declarator: (parenthesized_declarator
    (pointer_declarator declarator: (field_identifier) @name)))]) @field
(field_declaration) @field

; The preprocessor. What guards a whole header is no structure, nor what is there for C++ alone.
(preproc_ifdef name: (_) @_name (#eq? @_name "__cplusplus")) @skip
(preproc_ifdef name: (_) @_name (linkage_specification) @skip (#eq? @_name "__cplusplus"))
(preproc_def name: (_) @name value: (_)? @body) @constant
(preproc_function_def name: (_) @name value: (_)? @body) @function
(preproc_ifdef "#ifndef" name: (_) @_guard . (preproc_def name: (_) @_defined !value)
  (#eq? @_guard @_defined)) @skip
(preproc_ifdef ["#ifdef" "#ifndef"] @header name: (_) @header) @block
(preproc_if "#if" @header condition: (_) @header) @block
(preproc_else "#else" @header) @block
(preproc_elif "#elif" @header condition: (_) @header (_) @end . alternative: (_)) @block
(preproc_elif "#elif" @header condition: (_) @header) @block
(preproc_elifdef
  ["#elifdef" "#elifndef"] @header name: (_) @header (_) @end . alternative: (_)) @block
(preproc_elifdef ["#elifdef" "#elifndef"] @header name: (_) @header) @block
(linkage_specification body: (declaration_list) @body) @module
(linkage_specification body: (_) @skip)
(linkage_specification body: (function_definition
  declarator: (function_declarator declarator: (_) @name) body: (_) @body)) @function
(linkage_specification body: (declaration
  declarator: (function_declarator declarator: (_) @name))) @function
(linkage_specification) @variable

; Blocks.
(else_clause (if_statement) @skip)
(else_clause (if_statement consequence: (_) @body @end)) @block
(else_clause (_) @body) @block
(if_statement consequence: (_) @body) @block
(switch_statement body: (_) @body) @block
(case_statement ":" . (_) @contents) @block
(case_statement) @block
(while_statement body: (_) @body) @block
(do_statement body: (_) @body) @block
(for_statement body: (_) @body) @block
(seh_try_statement body: (_) @body) @block
(seh_except_clause body: (_) @body) @block
(seh_finally_clause body: (_) @body) @block
