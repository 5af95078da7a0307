// The default settings.
import { answerSettings, httpSettingsOf } from '../../../src/api/frame/http-settings.ts';

export const defaultHttpSettings = httpSettingsOf((name) => answerSettings[name].default);
