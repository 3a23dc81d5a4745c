// Runs before the first paint, so that a chosen theme never flashes. `auto` follows the system.
try {
  var theme = localStorage.getItem('pinakes.theme');
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
} catch {
  // Storage is not available to this page: follow the system.
}
