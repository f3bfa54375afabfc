/** The sentences with which an alert of an endpoint ends, by its reason (alerts#endpoints). */
export const ENDPOINT_ENDINGS = {
  accepts: 'The endpoint accepts deliveries again.',
  noLongerFails: 'The endpoint accepts deliveries again, or somebody turned it off and on.',
  signed: 'Deliveries to the endpoint are signed again.',
  turnedOff: 'The service turned the endpoint off, because it answered 410 or failed for three days.',
  enabled: 'The endpoint was enabled.',
  disabled: 'The endpoint was disabled by hand.',
  deleted: 'The endpoint was deleted.',
} as const;
