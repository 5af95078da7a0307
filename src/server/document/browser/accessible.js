// What Swagger UI lacks for screen readers and keyboards, as a plugin of it: landmarks, an outline without gaps, no link
// inside of a button, names of choices, and answers that a keyboard can scroll.

/** What is missing, by selector of the element that lacks it. */
const missingAttributes = [
  ['tr[data-param-name] select:not([aria-label])', 'aria-label', (found) => found.closest('tr').dataset.paramName],
  ['select:not([aria-label], [id])', 'aria-label', () => 'Media type'],
  ['pre:not([tabindex])', 'tabindex', () => '0'],
];

function addMissing(root) {
  for (const [selector, name, say] of missingAttributes) {
    for (const found of root.querySelectorAll(selector)) found.setAttribute(name, say(found));
  }
}

window.accessible = () => ({
  afterLoad() {
    const root = document.getElementById('document');
    new MutationObserver(() => addMissing(root)).observe(root, { childList: true, subtree: true });
  },
  wrapComponents: {
    InfoContainer:
      (Original, { React }) =>
      (props) =>
        React.createElement('header', { role: 'banner' }, React.createElement(Original, props)),
    operations:
      (Original, { React }) =>
      (props) =>
        React.createElement(
          React.Fragment,
          null,
          React.createElement('h2', { className: 'endpoints-title' }, 'Endpoints'),
          React.createElement(Original, props),
        ),
    // The path of an operation stands in a button, which opens it and puts its name into the address.
    DeepLink:
      (Original, { React }) =>
      (props) =>
        React.createElement(Original, { ...props, enabled: props.enabled && !props.path.includes('/') }),
    // There is one.
    ServersContainer: () => () => null,
  },
});
