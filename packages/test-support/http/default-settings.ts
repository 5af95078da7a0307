// The default settings.
import { answerSettings, httpSettingsOf } from '../../../src/http/frame/http-settings.ts';

export const defaultHttpSettings = httpSettingsOf((name) => answerSettings[name].default);
