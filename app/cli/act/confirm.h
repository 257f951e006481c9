// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace lk {

/// Shows the text on the terminal and waits until the word is typed. False: something else was, or
/// there is no terminal to ask on; that nothing was changed has been said.
bool confirmOnTerminal(const QString& text, const QString& word);

} // namespace lk
