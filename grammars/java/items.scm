; Definitions.
(class_declaration name: (_) @name body: (_) @body) @class
(record_declaration name: (_) @name body: (_) @body) @class
(interface_declaration name: (_) @name body: (_) @body) @interface
(annotation_type_declaration name: (_) @name body: (_) @body) @interface
(enum_declaration name: (_) @name body: (_) @body) @enum
(enum_constant name: (_) @name body: (_)? @body) @variant
(module_declaration name: (_) @name body: (_) @body) @module
(method_declaration name: (_) @name body: (_)? @body) @method
(constructor_declaration name: (_) @name body: (_) @body) @method
(compact_constructor_declaration name: (_) @name body: (_) @body) @method
(annotation_type_element_declaration name: (_) @name) @method
(field_declaration
  declarator: (variable_declarator name: (_) @name value: (_)? @body) @field)
(constant_declaration
  declarator: (variable_declarator name: (_) @name value: (_)? @body) @constant)
(object_creation_expression (class_body) @body) @class

; Initializers.
(static_initializer (block) @body) @block
(class_body (block) @block @body)
(enum_body_declarations (block) @block @body)

; Blocks.
(lambda_expression body: (_) @body) @lambda
(if_statement consequence: (_) @body) @block
(if_statement
  "else" @block
  alternative: (if_statement consequence: (_) @body @end))
(if_statement alternative: (if_statement) @skip)
(if_statement "else" @block alternative: (_) @body @end)
(for_statement body: (_) @body) @block
(enhanced_for_statement body: (_) @body) @block
(while_statement body: (_) @body) @block
(do_statement body: (_) @body) @block
(synchronized_statement body: (_) @body) @block
(labeled_statement (block) @body) @block
(try_statement body: (_) @body) @block
(try_with_resources_statement body: (_) @body) @block
(catch_clause body: (_) @body) @block
(finally_clause (block) @body) @block
(switch_expression body: (_) @body) @block
(switch_block_statement_group (statement) @body) @block
(switch_block_statement_group) @block
(switch_rule [(block) (expression_statement) (throw_statement)] @body) @block
