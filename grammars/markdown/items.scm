; Empty on purpose: the blocks are those of CommonMark (`Blocks::CommonMark` in the profile), with
; GitHub's tables and footnotes. What they are as structures:
;
; section      a heading, underlined or with `#`, with everything up to the next heading of its
;              level or above. A heading in a quote or a list item heads a section of that
;              container, and ends with it; the sections around do not see it.
; item, quote  with all that is in it. Where the first thing in it is a paragraph, a heading or a
;              table, both are one structure; so they are where all of it is another container.
; code         fenced or indented; the header is the info string, or the first line.
; paragraph    also a footnote's definition, with all that is in it.
; table, front-matter
;
; HTML blocks, breaks and link definitions are no structures. All of them end with their last line
; that is not blank.
