; Headings are called by their id, or by their text.
(element
  (start_tag
    (tag_name) @_tag
    (attribute (attribute_name) @_id [(quoted_attribute_value (attribute_value) @name) (attribute_value) @name])
    (#match? @_tag "^[hH][1-6]$") (#eq? @_id "id"))) @element
(element (start_tag (tag_name) @_tag (#match? @_tag "^[hH][1-6]$")) (text)? @name) @element

; Whatever has an id is called by it.
(element
  (start_tag
    (attribute (attribute_name) @_id [(quoted_attribute_value (attribute_value) @name) (attribute_value) @name])
    (#eq? @_id "id")) @header
  . [(element) (script_element) (style_element) (text) (entity) (comment) (erroneous_end_tag)]? @contents
  (end_tag)? @close) @element
(element
  (self_closing_tag
    (attribute (attribute_name) @_id [(quoted_attribute_value (attribute_value) @name) (attribute_value) @name])
    (#eq? @_id "id")) @header) @element
(script_element
  (start_tag
    (attribute (attribute_name) @_id [(quoted_attribute_value (attribute_value) @name) (attribute_value) @name])
    (#eq? @_id "id")) @header
  (raw_text)? @body) @element
(style_element
  (start_tag
    (attribute (attribute_name) @_id [(quoted_attribute_value (attribute_value) @name) (attribute_value) @name])
    (#eq? @_id "id")) @header
  (raw_text)? @body) @element

; The parts of a page.
(element
  (start_tag
    (tag_name) @_tag
    (#match? @_tag "^(?i:html|head|title|body|main|header|footer|nav|section|article|aside|form|table|dialog|template|details|figure|fieldset|pre)$")) @header
  . [(element) (script_element) (style_element) (text) (entity) (comment) (erroneous_end_tag)]? @contents
  (end_tag)? @close) @element
(script_element (start_tag) @header (raw_text)? @body) @element
(style_element (start_tag) @header (raw_text)? @body) @element
