export function zoom(from, card, change) { change(); }
export function zoomOut(card, change) { change(); }
