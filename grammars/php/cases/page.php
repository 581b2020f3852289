<!DOCTYPE html>
<html>
<?php
// The head.
function title() { return 'x'; }
?>
<body>
<?php if ($user): ?>
  <p><?= $user->name ?></p>
<?php elseif ($guest): ?>
  <p>Guest</p>
<?php else: ?>
  <p>None</p>
<?php endif; ?>
<?php foreach ($items as $item): ?>
  <li><?php echo $item; ?></li>
<?php endforeach ?>
<?php function inline() { ?>
  <b>html</b>
<?php } ?>
</body>
</html>
