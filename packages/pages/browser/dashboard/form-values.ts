/** The texts in the fields of a form that was sent, which the browser sends nowhere. */
export function formValues(event: Event): Readonly<Record<string, string>> {
  event.preventDefault();
  const values = [...new FormData(event.target as HTMLFormElement)];
  return Object.fromEntries(values.map(([name, value]) => [name, typeof value === 'string' ? value : '']));
}
