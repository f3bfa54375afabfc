/** The texts in the fields of a form. */
export function valuesOf(form: HTMLFormElement): Readonly<Record<string, string>> {
  const values = [...new FormData(form)];
  return Object.fromEntries(values.map(([name, value]) => [name, typeof value === 'string' ? value : '']));
}

/** The texts in the fields of a form that was sent, which the browser sends nowhere. */
export function formValues(event: Event): Readonly<Record<string, string>> {
  event.preventDefault();
  return valuesOf(event.target as HTMLFormElement);
}
