import { isServiceError, type ServiceError } from '@subrail/core';
import { isApiError, type ApiError } from '@subrail/core/client';

/** Whether the service refused a call, in this process or over HTTP. */
export function isRefusal(error: unknown): error is ServiceError | ApiError {
  return isServiceError(error) || isApiError(error);
}
