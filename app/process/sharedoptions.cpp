// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/process/sharedoptions.h"

#include <QCoreApplication>

namespace lk {

namespace {

struct Text
{
    Q_DECLARE_TR_FUNCTIONS(lk::SharedOptions)
};

} // namespace

CommandOption configOption()
{
    return {
        QStringLiteral("config"), QStringLiteral("FILE"),
        Text::tr("Use this configuration file for what Redis does not store: limits, windows, "
                 "companion lists. Default: ~/.config/lockkeeper/lockkeeper.toml, if it exists")};
}

CommandOption layoutsOption()
{
    return {QStringLiteral("layouts"), QStringLiteral("DIR"),
            Text::tr("Add the layout files of this folder to the built-in layouts and to those of "
                     "~/.config/lockkeeper/layouts. Default: none")};
}

QString aboutUrl()
{
    return Text::tr(
        "lockkeeper --help describes URL. Set LOCKKEEPER_PASSWORD to keep a password out "
        "of it.\n");
}

} // namespace lk
