// Before the first paint: the theme that was chosen last; without a choice the system's holds.
(() => {
  try {
    const theme = localStorage.getItem('juror-theme');
    if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
  } catch {
    // Where the browser blocks the page's storage, the system's holds.
  }
})();
