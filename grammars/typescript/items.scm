; What TypeScript has beyond JavaScript.

; Definitions, and declarations without a body.
(abstract_class_declaration name: (_) @name body: (_) @body) @class
(interface_declaration name: (_) @name body: (_) @body) @interface
(type_alias_declaration name: (_) @name value: (_) @body) @type
(function_signature name: (_) @name) @function
(enum_declaration name: (_) @name body: (_) @body) @enum
(enum_body name: (_) @name @variant)
(enum_assignment name: (_) @name value: (_) @body) @variant
(internal_module name: (_) @name body: (_) @body) @module
(module name: (_) @name body: (_)? @body) @module
(ambient_declaration "global" @name (statement_block) @body) @module

(pair
  key: (_) @name @header
  value: [(as_expression . (object)) (satisfies_expression . (object))] @body) @key
(export_statement "=" (_) @body) @variable

; Members of a class.
(class_body
  (public_field_definition
    name: (_) @name value: (arrow_function body: (_) @body)) @method . ";"? @end)
(class_body
  (public_field_definition
    name: (_) @name value: (function_expression body: (_) @body)) @method . ";"? @end)
(public_field_definition value: [(arrow_function) (function_expression)] @skip)
(class_body (public_field_definition name: (_) @name value: (_)? @body) @field . ";"? @end)
(class_body (method_signature name: (_) @name) @method . ";"? @end)
(class_body (abstract_method_signature name: (_) @name) @method . ";"? @end)
(class_body (index_signature) @field . ";"? @end)

; Members of an interface, and of an object type with a name.
(interface_body
  (property_signature
    name: (_) @name type: (type_annotation (object_type) @body)) @field . [";" ","]? @end)
(interface_body (property_signature name: (_) @name) @field . [";" ","]? @end)
(interface_body (method_signature name: (_) @name) @method . [";" ","]? @end)
(interface_body (call_signature) @method . [";" ","]? @end)
(interface_body (construct_signature) @method . [";" ","]? @end)
(interface_body (index_signature) @field . [";" ","]? @end)
(type_alias_declaration
  value: (object_type
    (property_signature
      name: (_) @name type: (type_annotation (object_type) @body)) @field . [";" ","]? @end))
(type_alias_declaration
  value: (object_type (property_signature name: (_) @name) @field . [";" ","]? @end))
(type_alias_declaration
  value: (object_type (method_signature name: (_) @name) @method . [";" ","]? @end))
(type_alias_declaration value: (object_type (call_signature) @method . [";" ","]? @end))
(type_alias_declaration value: (object_type (construct_signature) @method . [";" ","]? @end))
(type_alias_declaration value: (object_type (index_signature) @field . [";" ","]? @end))
