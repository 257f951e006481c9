// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace lk {

/// Ignores relative paths in XDG_DATA_HOME and its like, as the XDG Base Directory Specification
/// demands: a journal must not depend on the folder that a command was started in. First thing of
/// all.
void ignoreRelativeFolders();

/// Whether the environment names a display, which may yet not open.
bool hasDisplay();

/// While it lives: where no window can be opened the program ends with one line on stderr and
/// ExitUsage instead of Qt's abort, which leaves a core dump. Around the making of a QApplication.
class DisplayCheck
{
public:
    DisplayCheck();
    ~DisplayCheck();
    DisplayCheck(const DisplayCheck&) = delete;
    DisplayCheck& operator=(const DisplayCheck&) = delete;
};

} // namespace lk
