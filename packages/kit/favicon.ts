// The sign of all pages, as SVG.

/** Two ledger columns facing each other. */
export const favicon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#0b57c2"/><path d="M8 9h6M8 16h6M8 23h6M18 9h6M18 16h6M18 23h6" stroke="#fff" stroke-width="2.5" stroke-linecap="round"/><path d="M16 5v22" stroke="#fff" stroke-opacity=".5"/></svg>
`;
