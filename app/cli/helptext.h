// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>

namespace lk {

/// What can follow "lockkeeper help".
QStringList helpTopics();

/// What --help prints of one command ("snapshot", "check", "screenshots"); of any other word, and of
/// none, about the program as a whole. Translated; ends with a line feed. See also actHelpText().
QString helpText(const QString& command = {});

} // namespace lk
