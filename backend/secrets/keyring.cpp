// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/secrets/keyring.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <QPluginLoader>

namespace lk {

namespace {

struct KeyringText
{
    Q_DECLARE_TR_FUNCTIONS(lk::SecretStore)
};

} // namespace

QStringList keyringFolders()
{
    const QString program = QCoreApplication::applicationDirPath();
    return {program, program + QStringLiteral("/" LOCKKEEPER_PLUGIN_FOLDER)};
}

std::unique_ptr<SecretStore> openKeyring(const QStringList& folders)
{
    for (const QString& folder : folders) {
        const QString path = folder + QStringLiteral("/lockkeeper-keyring.so");
        if (!QFileInfo::exists(path)) // QPluginLoader would look in Qt's own folders, too
            continue;
        QPluginLoader loader(path);
        if (auto* plugin = qobject_cast<KeyringPlugin*>(loader.instance()))
            return plugin->open();
    }
    auto none = std::make_unique<MemorySecretStore>();
    none->setBroken({ErrorCode::NotInstalled, KeyringText::tr("This desktop has no keyring")});
    return none;
}

} // namespace lk
