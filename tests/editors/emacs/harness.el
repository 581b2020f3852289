;;; harness.el --- Runs the tests in Emacs  -*- lexical-binding: t; -*-

;; Each test has a workspace and a server of its own, and a limit for everything that it waits for.

;;; Code:

(require 'cl-lib)
(require 'ert)
(setq load-prefer-newer t
      ;; No time for that here.
      native-comp-jit-compilation nil)
(defvar harness-repository (getenv "OPERATOR_REPOSITORY"))
(defvar harness-results (getenv "OPERATOR_RESULTS"))
(add-to-list 'load-path (expand-file-name "editors/emacs" harness-repository))

(defvar harness-root nil "The workspace of the test that runs.")

(defun harness-until (what found)
  "Wait until FOUND gives something; WHAT is what that is."
  (let ((end (+ (float-time) 10)) (value nil))
    (while (not (setq value (funcall found)))
      (when (> (float-time) end)
        (error "Waited in vain for %s" what))
      (accept-process-output nil 0.02))
    value))

(defun harness-write (path text)
  "Write TEXT to the file PATH of the workspace."
  (let ((file (expand-file-name path harness-root)) (coding-system-for-write 'utf-8-unix))
    (make-directory (file-name-directory file) t)
    (write-region text nil file nil 'silent)
    file))

(defun harness-read (path)
  "The text of the file PATH of the workspace."
  (with-temp-buffer
    (insert-file-contents (expand-file-name path harness-root))
    (buffer-string)))

(defun harness-block (&rest fields)
  "An operator block of FIELDS, keys and values in turn."
  (concat "OPERATOR_CMD\nversion: 1\n"
          (cl-loop for (key value) on fields by #'cddr concat (format "%s: %s\n" key value))
          "END_OPERATOR_CMD\n"))

(defun harness-replace (id path old new)
  "A block that replaces OLD by NEW in the file PATH."
  (let ((edits (format "{\"version\":1,\"edits\":[{\"op\":\"replaceFirst\",\"find\":%S,\"text\":%S}]}"
                       old new)))
    (harness-block "id" id "action" "fs.applyEdits" "path" path
                   "edits_b64" (base64-encode-string (encode-coding-string edits 'utf-8) t))))

(defun harness-transcript (text)
  "Open TEXT as a transcript and start the server for it."
  (find-file (harness-write "chat.operator" text))
  (apply #'eglot (eglot--guess-contact))
  (harness-until "the server" (lambda () (eglot-managed-p))))

(defun harness-statuses ()
  "What has become of the blocks of this transcript."
  (let ((server (eglot-current-server)))
    (operator--sync server)
    (mapcar (lambda (block) (plist-get block :status)) (operator--blocks server))))

(defun harness-expect-statuses (expected)
  "Wait until the statuses are the EXPECTED ones."
  (let ((last nil))
    (condition-case nil
        (harness-until "statuses" (lambda () (equal (setq last (harness-statuses)) expected)))
      (error (error "The statuses are %S, not %S" last expected)))))

(defun harness-diagnostics ()
  "The diagnostics of this buffer, once there are some."
  (flymake-start)
  (harness-until "diagnostics" #'flymake-diagnostics))

(defun harness-go-to (text)
  "Put point on the first TEXT."
  (goto-char (point-min))
  (search-forward text)
  (goto-char (match-beginning 0)))

(defun harness-take (kind)
  "Take the one code action of KIND at point."
  (operator--sync (eglot-current-server))
  (let ((completing-read-function (lambda (_prompt items &rest _) (caar items))))
    (eglot-code-actions (point) (point) kind t)))

(defun harness-run (test)
  "Run TEST in a workspace of its own; give why it failed, or nil."
  (let ((harness-root (file-name-as-directory
                       (expand-file-name (symbol-name (ert-test-name test))
                                         (expand-file-name "workspaces" harness-results)))))
    (make-directory harness-root t)
    ;; Newer Emacsen ask git for the files of a project.
    (call-process "git" nil nil nil "init" "--quiet" harness-root)
    (unwind-protect
        (let ((result (ert-run-test test)))
          (unless (ert-test-passed-p result)
            (format "%S" (ert-test-result-with-condition-condition result))))
      (dolist (server (apply #'append (hash-table-values eglot--servers-by-project)))
        ;; Where the server is known: a newer eglot sends the changes of the current buffer first.
        (with-current-buffer (or (car (eglot--managed-buffers server)) (current-buffer))
          (eglot-shutdown server nil 3)))
      (dolist (buffer (buffer-list))
        (when (buffer-file-name buffer)
          (with-current-buffer buffer (set-buffer-modified-p nil))
          (kill-buffer buffer))))))

(defun harness-main ()
  "Run every test and end Emacs."
  (let ((passed 0) (failed 0) (standard-output #'external-debugging-output))
    (dolist (test (ert-select-tests t t))
      (let ((why (condition-case problem (harness-run test)
                   (error (error-message-string problem)))))
        (if why (cl-incf failed) (cl-incf passed))
        (harness-print (format "%s  %s%s\n" (if why "FAILED" "ok    ") (ert-test-name test)
                               (if why (concat "\n  " why) "")))))
    (harness-print (format "%d passed, %d failed\n" passed failed))
    (kill-emacs (if (zerop failed) 0 1))))

(defun harness-print (text)
  "Print TEXT to the standard output."
  (let ((standard-output t))
    (princ text)))

(provide 'harness)
;;; harness.el ends here
