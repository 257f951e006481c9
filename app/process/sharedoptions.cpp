// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/process/sharedoptions.h"

#include <QCoreApplication>

namespace lk {

namespace {

struct SharedOptionsText
{
    Q_DECLARE_TR_FUNCTIONS(lk::SharedOptions)
};

} // namespace

CommandOption configOption()
{
    return {"config", "FILE",
            SharedOptionsText::tr(
                "Use this configuration file for what Redis does not store: limits, windows, "
                "companion lists. Default: ~/.config/lockkeeper/lockkeeper.toml, if it exists")};
}

CommandOption layoutsOption()
{
    return {"layouts", "DIR",
            SharedOptionsText::tr(
                "Add the layout files of this folder to the built-in layouts and to those of "
                "~/.config/lockkeeper/layouts. Default: none")};
}

CommandOption undoKeyOption()
{
    return {"undo-key", "FILE",
            SharedOptionsText::tr(
                "Encrypt what undo needs with the key in this file, which is made if it is "
                "missing. Default: LOCKKEEPER_UNDO_KEY (a file, or a key in base64), else the "
                "desktop's keyring, else the kernel's memory until you log out")};
}

QString aboutUrl()
{
    return SharedOptionsText::tr(
        "lockkeeper --help describes URL. Set LOCKKEEPER_PASSWORD to keep a password out "
        "of it.\n");
}

} // namespace lk
