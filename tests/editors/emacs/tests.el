;;; tests.el --- What operator-mode.el does in a real Emacs  -*- lexical-binding: t; -*-

;;; Code:

(require 'harness)
(require 'operator-mode)

(setq operator-program (list (getenv "OPERATOR_LSP"))
      eglot-autoshutdown nil
      ;; In batch mode nothing is ever idle.
      eglot-send-changes-idle-time 0)

(defun said (command)
  "The error that COMMAND gives."
  (condition-case problem (progn (funcall command) nil)
    (user-error (error-message-string problem))))

;; Emacs 28 without native compilation does not know it.
(defvar native-comp-enable-subr-trampolines)

(defun told (command)
  "The last message of COMMAND."
  (let ((last nil)
        (native-comp-enable-subr-trampolines nil))
    (cl-letf (((symbol-function 'message)
               (lambda (text &rest values) (setq last (apply #'format text values)))))
      (funcall command))
    last))

(ert-deftest the-file-follows-the-conventions ()
  (require 'checkdoc)
  (let ((warnings nil))
    (cl-letf (((symbol-function 'warn)
               (lambda (text &rest values) (push (apply #'format text values) warnings))))
      (checkdoc-file (expand-file-name "editors/emacs/operator-mode.el" harness-repository)))
    (should-not warnings)))

(ert-deftest the-file-compiles-without-a-warning ()
  (require 'bytecomp)
  (let* ((source (expand-file-name "editors/emacs/operator-mode.el" harness-repository))
         (compiled (expand-file-name "operator-mode.elc" harness-results))
         (byte-compile-dest-file-function (lambda (_) compiled))
         (byte-compile-error-on-warn t))
    (should (byte-compile-file source))))

(ert-deftest a-damaged-block-is-marked-at-its-damage ()
  (harness-transcript (harness-block "id" "e1" "action" "fs.reed" "path" "a.txt"))
  (let ((diagnostic (car (harness-diagnostics))))
    (should (equal (buffer-substring-no-properties (flymake-diagnostic-beg diagnostic)
                                                   (flymake-diagnostic-end diagnostic))
                   "fs.reed"))
    (should (string-match-p "fs.reed" (flymake-diagnostic-text diagnostic)))))

(ert-deftest columns-hold-after-an-astral-character ()
  (harness-transcript (concat "#!SHAM [@three-char-SHA-256: k7m]\naction = \"file_read\"\n"
                              "path = \"/tmp/\U0001F600/x\" stray\n#!END_SHAM_k7m\n"))
  (let ((diagnostic (car (harness-diagnostics))))
    (should (equal (buffer-substring-no-properties (flymake-diagnostic-beg diagnostic)
                                                   (flymake-diagnostic-end diagnostic))
                   "stray"))))

(ert-deftest the-fix-of-a-problem-is-a-code-action ()
  (harness-write "a.txt" "one\n")
  (harness-transcript (harness-block "id" "e1" "action" "fs.reed" "path" "a.txt"))
  (harness-diagnostics)
  (harness-go-to "fs.reed")
  (harness-take "quickfix")
  (should (equal (buffer-string) (harness-block "id" "e1" "action" "fs.read" "path" "a.txt")))
  (harness-expect-statuses '("ready")))

(ert-deftest a-code-action-applies-a-block-to-an-open-file ()
  (harness-write "a.txt" "one\ntwo\nthree\n")
  (let ((target (find-file-noselect (expand-file-name "a.txt" harness-root))))
    (harness-transcript (harness-replace "e1" "a.txt" "two" "zwei"))
    (harness-expect-statuses '("ready"))
    (harness-go-to "action:")
    (harness-take "refactor.rewrite.operator.apply")
    (should (equal (with-current-buffer target (buffer-string)) "one\nzwei\nthree\n"))
    (harness-expect-statuses '("applied"))
    (with-current-buffer target (save-buffer))
    (should (equal (harness-read "a.txt") "one\nzwei\nthree\n"))))

(ert-deftest a-no-to-a-code-action-is-a-no ()
  ;; Eglot asks before it opens a file for an edit.  After a no, 1.17 would tell the server
  ;; that the edit was made; so there nothing is asked.
  (harness-write "a.txt" "one\n")
  (harness-transcript (harness-replace "e1" "a.txt" "one" "eins"))
  (harness-expect-statuses '("ready"))
  (harness-go-to "action:")
  (let ((asked nil))
    (cl-letf (((symbol-function 'y-or-n-p) (lambda (_question) (setq asked t) nil)))
      (condition-case nil (harness-take "refactor.rewrite.operator.apply")
        (error (should asked))))
    (should (eq asked (< emacs-major-version 30)))
    (let ((target (find-buffer-visiting (expand-file-name "a.txt" harness-root))))
      (should (equal (and target (with-current-buffer target (buffer-string)))
                     (if asked nil "eins\n"))))
    (harness-expect-statuses (if asked '("ready") '("applied")))))

(ert-deftest files-are-not-created-moved-or-deleted ()
  ;; Eglot 1.9 and 1.17 declare none of it.
  (harness-write "a.txt" "one\n")
  (harness-transcript
   (concat (harness-block "id" "w1" "action" "fs.write" "path" "new.txt"
                          "content_b64" (base64-encode-string "new\n"))
           (harness-block "id" "m1" "action" "fs.move" "path" "a.txt" "path_to" "b.txt")
           (harness-block "id" "d1" "action" "fs.delete" "path" "a.txt")))
  (harness-expect-statuses '("blocked" "blocked" "blocked"))
  (cl-loop for (id what) in '(("w1" "create") ("m1" "rename") ("d1" "delete"))
           do (harness-go-to (concat "id: " id))
           (should (string-match-p (concat "does not let a language server " what)
                                   (said #'operator-apply))))
  (should (equal (harness-read "a.txt") "one\n")))

(ert-deftest apply-and-reply-inserts-the-reply ()
  (find-file (harness-write "a.txt" "one\n"))
  (harness-transcript (harness-replace "e1" "a.txt" "one" "eins"))
  (harness-go-to "action:")
  (operator-apply-and-reply)
  (should (string-match-p "END_OPERATOR_CMD\nOPERATOR_RESULT\nid: e1\nok: true\n" (buffer-string)))
  (harness-expect-statuses '("applied")))

(ert-deftest apply-all-reject-reply-and-undo ()
  (let ((target (find-file (harness-write "a.txt" "one\ntwo\n"))))
    (harness-transcript (concat (harness-replace "e1" "a.txt" "one" "eins")
                                (harness-replace "e2" "a.txt" "two" "zwei")
                                (harness-block "id" "r1" "action" "fs.read" "path" "a.txt")))
    (harness-go-to "id: e2")
    (operator-reject)
    (harness-expect-statuses '("ready" "rejected" "ready"))
    (operator-apply-all)
    (should (equal (with-current-buffer target (buffer-string)) "eins\ntwo\n"))
    (operator-undo)
    (should (equal (with-current-buffer target (buffer-string)) "one\ntwo\n"))
    (harness-go-to "id: r1")
    (operator-reply t)
    (should (string-match-p "OPERATOR_RESULT\nid: r1\nok: true\n" (current-kill 0)))))

(ert-deftest the-reply-tells-what-was-not-told-yet ()
  (find-file (harness-write "a.txt" "one\n"))
  (harness-transcript (concat (harness-replace "e1" "a.txt" "one" "eins")
                              (harness-replace "e2" "a.txt" "none" "x")))
  (harness-go-to "id: e1")
  (operator-apply)
  (harness-expect-statuses '("applied" "blocked"))
  (operator-reply)
  (should (string-match-p "id: e1\nok: true\n\\(.*\n\\)*id: e2\nok: false" (current-kill 0)))
  (should (string-match-p "nothing new to tell" (told #'operator-reply))))

(ert-deftest the-first-message-has-files-and-the-request ()
  (harness-write "a.txt" "one\n")
  (harness-write ".env" "KEY=1\n")
  (harness-transcript "A chat\n")
  (should (string-match-p "left out .env: "
                          (told (lambda () (operator-prompt '("a.txt" ".env") "Say two.")))))
  (should (string-match-p "<<<<<<< SEARCH" (current-kill 0)))
  (should (string-match-p "^## a.txt$" (current-kill 0)))
  (should (string-match-p "Say two." (current-kill 0))))

(ert-deftest unsaved-changes-of-a-target-are-kept ()
  (let ((target (find-file (harness-write "a.txt" "one\ntwo\n"))))
    (harness-transcript (concat (harness-replace "e1" "a.txt" "two" "zwei")
                                (harness-block "id" "w1" "action" "fs.write" "path" "a.txt"
                                               "content_b64" (base64-encode-string "new\n"))))
    (harness-expect-statuses '("ready" "ready"))
    (with-current-buffer target
      (goto-char (point-min))
      (insert "typed, not saved\n"))
    (harness-expect-statuses '("ready" "stale"))
    (harness-go-to "id: w1")
    (should (string-match-p "stale" (said #'operator-apply)))
    (harness-go-to "id: e1")
    (operator-apply)
    (should (equal (with-current-buffer target (buffer-string)) "typed, not saved\none\nzwei\n"))
    (should (equal (harness-read "a.txt") "one\ntwo\n"))))

(ert-deftest the-preview-is-a-diff ()
  (harness-write "a.txt" "one\n")
  (harness-transcript (harness-replace "e1" "a.txt" "one" "eins"))
  (harness-go-to "action:")
  (operator-preview)
  (with-current-buffer "*operator preview*"
    (should (string-match-p "^-one\n\\+eins$" (buffer-string)))))

(ert-deftest the-inbox-goes-to-a-block ()
  (harness-transcript
   (concat "# Chat\n" (harness-block "id" "r1" "action" "fs.read" "path" "b.txt")
           (harness-block "id" "r2" "action" "fs.read" "path" "a.txt")))
  (let ((completing-read-function
         (lambda (_prompt items &rest _)
           (let ((shown (all-completions "" items))
                 (sort (completion-metadata-get (completion-metadata "" items nil)
                                                'display-sort-function)))
             (should (equal (funcall sort shown)
                            '("1 blocked: fs.read b.txt" "2 blocked: fs.read a.txt")))
             (car shown)))))
    (goto-char (point-max))
    (operator-inbox)
    (should (looking-at "OPERATOR_CMD\nversion: 1\nid: r1\n"))))

(ert-deftest what-cannot-be-done-is-said ()
  (with-temp-buffer
    (should (string-match-p "No operator-lsp in this buffer" (said #'operator-apply))))
  (harness-transcript (concat "# Chat\n" (harness-replace "e1" "b.txt" "one" "eins")))
  (goto-char (point-min))
  (should (equal (said #'operator-apply) "Point is in no block"))
  (harness-go-to "id: e1")
  (should (string-match-p "^blocked: .*b.txt" (said #'operator-apply)))
  (let ((operator-program '("/nowhere/operator-lsp")))
    (should (string-match-p "is not on the PATH" (said #'operator--contact)))))

(ert-deftest the-recorded-initialize-request-is-what-this-emacs-sends ()
  (let* ((recorded (expand-file-name "initialize.json" harness-results))
         (name (if (< emacs-major-version 30) "emacs.json" "emacs-30.json"))
         (kept (expand-file-name (concat "tests/it/clients/" name) harness-repository))
         (record (expand-file-name "tests/editors/record" harness-repository))
         (operator-program (list record recorded (getenv "OPERATOR_LSP"))))
    (harness-transcript (harness-block "id" "r1" "action" "fs.read" "path" "b.txt"))
    (unless (and (file-exists-p kept)
                 (equal (with-temp-buffer (insert-file-contents recorded) (buffer-string))
                        (with-temp-buffer (insert-file-contents kept) (buffer-string))))
      (error "It is another one by now; if that is right: cp %s %s" recorded kept))))

(provide 'tests)
;;; tests.el ends here
