// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/config/ownlayouts.h"

#include "backend/config/config.h"
#include "backend/libraries/families/files/layoutfilereader.h"
#include "backend/libraries/families/files/processlayouts.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>

namespace lk {

namespace {

Result<void> addFolder(const QDir& folder)
{
    for (const QString& name :
         folder.entryList({QStringLiteral("*.toml")}, QDir::Files, QDir::Name)) {
        Result<LayoutFile> file = loadLayoutFile(folder.filePath(name));
        if (!file)
            return tl::unexpected(file.error());
        if (const Result<void> added = addLayout(std::move(*file)); !added)
            return added;
    }
    return {};
}

} // namespace

QString defaultLayoutsFolder()
{
    return QFileInfo(defaultConfigPath()).absolutePath() + QStringLiteral("/layouts");
}

Result<void> addOwnLayouts(const QString& given)
{
    const QString path = absoluteConfigPath(given);
    if (!given.isEmpty() && !QFileInfo(path).isDir())
        return failure(
            ErrorCode::FileError,
            QCoreApplication::translate("lk::LayoutFile", "%1 is not a folder").arg(given));
    const QString standard = defaultLayoutsFolder();
    if (const Result<void> added = addFolder(QDir(standard)); !added)
        return added;
    return given.isEmpty() || QFileInfo(path) == QFileInfo(standard) ? Result<void>()
                                                                     : addFolder(QDir(path));
}

} // namespace lk
