// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QCoreApplication;

namespace lk {

/// From now on texts are in the user's language where there is a translation, else in English with
/// its numbers right: "1 item", "2 items". It lives as long as the application.
void speakLanguage(QCoreApplication& app);

} // namespace lk
