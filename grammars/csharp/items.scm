; Namespaces and types.
(namespace_declaration name: (_) @name body: (_) @body) @module
(file_scoped_namespace_declaration name: (_) @name) @module
(class_declaration name: (_) @name body: (_)? @body) @class
(struct_declaration name: (_) @name body: (_)? @body) @struct
(record_declaration "struct" name: (_) @name body: (_)? @body) @struct
(record_declaration name: (_) @name body: (_)? @body) @class
(interface_declaration name: (_) @name body: (_)? @body) @interface
(enum_declaration name: (_) @name body: (_)? @body) @enum
(enum_member_declaration name: (_) @name value: (_)? @body) @variant
(delegate_declaration name: (_) @name) @type

; Functions.
(method_declaration name: (_) @name body: (_)? @body) @method
(constructor_declaration name: (_) @name body: (_)? @body) @method
(destructor_declaration "~" @name name: (_) @name body: (_)? @body) @method
(operator_declaration "operator" @name operator: _ @name body: (_)? @body) @method
(conversion_operator_declaration "operator" @name type: (_) @name body: (_)? @body) @method
(local_function_statement name: (_) @name body: (_)? @body) @function
(accessor_declaration name: _ @name body: (_) @body) @method
(lambda_expression body: (_) @body) @lambda
(anonymous_method_expression (block) @body) @lambda

; Fields and what looks like them. What declares several is called by all of their names.
(field_declaration (modifier "const")
  (variable_declaration (variable_declarator) @name ("," (variable_declarator) @name)+)) @constant
(field_declaration
  (variable_declaration (variable_declarator) @name ("," (variable_declarator) @name)+)) @field
(field_declaration (modifier "const")
  (variable_declaration (variable_declarator name: (_) @name "=" . (_) @body))) @constant
(field_declaration
  (variable_declaration (variable_declarator name: (_) @name "=" . (_) @body))) @field
(field_declaration (variable_declaration (variable_declarator name: (_) @name))) @field
(property_declaration name: (_) @name accessors: (_) @body) @field
(property_declaration name: (_) @name value: (_) @body) @field
(indexer_declaration "this" @name accessors: (_) @body) @field
(indexer_declaration "this" @name value: (_) @body) @field
(event_declaration name: (_) @name accessors: (_)? @body) @field
(event_field_declaration
  (variable_declaration (variable_declarator) @name ("," (variable_declarator) @name)+)) @field
(event_field_declaration
  (variable_declaration (variable_declarator name: (_) @name "=" . (_) @body))) @field
(event_field_declaration (variable_declaration (variable_declarator name: (_) @name))) @field
(global_statement (local_declaration_statement
  (variable_declaration (variable_declarator name: (_) @name "=" . (_) @body))) @variable)

; Blocks.
(preproc_if "#if" @header condition: (_) @header) @block
(preproc_else "#else" @header) @block
(preproc_elif "#elif" @header condition: (_) @header (_) @end . alternative: (_)) @block
(preproc_elif "#elif" @header condition: (_) @header) @block
(if_statement alternative: (if_statement) @skip)
(if_statement "else" @block alternative: (if_statement consequence: (_) @body @end))
(if_statement "else" @block alternative: (_) @body @end)
(if_statement consequence: (_) @body) @block
(for_statement body: (_) @body) @block
(foreach_statement body: (_) @body) @block
(while_statement body: (_) @body) @block
(do_statement body: (_) @body) @block
(switch_statement body: (_) @body) @block
(switch_section ":" . (_) @contents) @block
(switch_section) @block
(switch_expression "{" @contents) @block
(switch_expression_arm "=>" . (_) @body) @block
(try_statement body: (_) @body) @block
(catch_clause body: (_) @body) @block
(finally_clause (block) @body) @block
(using_statement body: (_) @body) @block
(lock_statement (block) @body) @block
(fixed_statement (block) @body) @block
(checked_statement (block) @body) @block
(unsafe_statement (block) @body) @block
