; Definitions.
(function_declaration name: (_) @name body: (_)? @body) @function
(method_declaration name: (_) @name body: (_)? @body) @method
(func_literal body: (_) @body) @lambda

; Types, alone or in a group.
(type_declaration "(" @contents) @type
(type_spec name: (_) @name type: (struct_type (_) @body)) @struct
(type_spec name: (_) @name type: (interface_type "{" @contents)) @interface
(type_spec name: (_) @name) @type
(type_alias name: (_) @name type: (_) @body) @type

; Members.
(field_declaration name: (_) @name type: (struct_type (_) @body)) @field
(field_declaration name: (_) @name tag: (_)? @until) @field
(field_declaration type: (_) @name tag: (_)? @until) @field
(method_elem name: (_) @name) @method
(interface_type (type_elem) @name @field)

; Constants and variables, alone or in a group.
(const_declaration "(" @contents) @constant
(const_spec name: (identifier) @name value: (_)? @body) @constant
(var_declaration (var_spec_list) @body) @variable
(var_spec name: (_) @name value: (_)? @body) @variable

; Blocks.
(if_statement alternative: (if_statement) @skip)
(if_statement "else" @block alternative: (if_statement consequence: (_) @body @end))
(if_statement "else" @block alternative: (block) @body @end)
(if_statement consequence: (_) @body) @block
(labeled_statement [
  (for_statement) (expression_switch_statement) (type_switch_statement) (select_statement)
] @skip)
(labeled_statement (for_statement body: (_) @body)) @block
(labeled_statement (expression_switch_statement "{" @contents)) @block
(labeled_statement (type_switch_statement "{" @contents)) @block
(labeled_statement (select_statement "{" @contents)) @block
(for_statement body: (_) @body) @block
(expression_switch_statement "{" @contents) @block
(type_switch_statement "{" @contents) @block
(select_statement "{" @contents) @block
(expression_case (statement_list)? @body) @block
(type_case (statement_list)? @body) @block
(communication_case (statement_list)? @body) @block
(default_case (statement_list)? @body) @block
