; Rules.
(rule_set (selectors) @name (block) @body) @rule
(keyframes_statement (keyframes_name) @name (keyframe_block_list) @body) @rule
(keyframe_block (block) @body) @rule
(media_statement (block) @body) @rule
(supports_statement (block) @body) @rule
(scope_statement (block) @body) @rule
(at_rule (block) @body) @rule
(at_rule ";" @until) @rule
(import_statement ";" @until) @rule
(charset_statement ";" @until) @rule
(namespace_statement ";" @until) @rule

; Custom properties: what a style sheet has for constants.
(declaration (property_name) @name (_) @contents (#match? @name "^--")) @variable
