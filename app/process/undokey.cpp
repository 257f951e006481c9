// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/process/undokey.h"

#include "backend/acting/journal/undostorage.h"
#include "backend/platform/files.h"
#include "backend/platform/usersecrets.h"
#include "backend/secrets/usersecretstore.h"

#include <QCoreApplication>

namespace lk {

namespace {

struct UndoKeyText
{
    Q_DECLARE_TR_FUNCTIONS(lk::UndoKey)
};

using KeyHandler = std::function<void(const Result<QByteArray>&)>;
using DoneHandler = std::function<void(const Result<void>&)>;

const QString entry = QStringLiteral("undo-records");

QByteArray keyFrom(const QByteArray& text)
{
    const QByteArray key = QByteArray::fromBase64(text.trimmed());
    return key.size() == FolderUndoStorage::keyBytes ? key : QByteArray();
}

// Another program may have made one at the same moment: what is read back counts.
void readBack(SecretStore& keyring, QObject* context, const KeyHandler& handler)
{
    keyring.read(entry, context, [handler](const Result<QString>& secret) {
        if (!secret)
            return handler(tl::unexpected<Error>(secret.error()));
        const QByteArray key = keyFrom(secret->toLatin1());
        if (key.isEmpty())
            return handler(failure(ErrorCode::Undecodable, entry));
        handler(key);
    });
}

void keyOf(SecretStore& keyring, QObject* context, const KeyHandler& handler)
{
    keyring.read(entry, context, [&keyring, context, handler](const Result<QString>& secret) {
        const QByteArray known = secret ? keyFrom(secret->toLatin1()) : QByteArray();
        if (!known.isEmpty())
            return handler(known);
        if (!secret && secret.error().code != ErrorCode::NotFound)
            return handler(tl::unexpected<Error>(secret.error()));
        keyring.write(entry, QString::fromLatin1(FolderUndoStorage::newKey().toBase64()), context,
                      [&keyring, context, handler](const Result<void>& written) {
                          if (!written)
                              return handler(tl::unexpected<Error>(written.error()));
                          readBack(keyring, context, handler);
                      });
    });
}

Result<QByteArray> givenKey(const QString& given)
{
    if (const QByteArray key = keyFrom(given.toLatin1()); !key.isEmpty())
        return key;
    const Result<QByteArray> text =
        readOrMakePrivateFile(given, FolderUndoStorage::newKey().toBase64() + '\n');
    if (!text)
        return tl::unexpected(text.error());
    const QByteArray key = keyFrom(*text);
    if (key.isEmpty())
        return failure(ErrorCode::FileError,
                       UndoKeyText::tr("%1 has no key: 32 bytes in base64").arg(given));
    return key;
}

} // namespace

void fetchUndoKey(const QString& given, SecretStore& keyring, UndoStore store, QObject* context,
                  DoneHandler handler)
{
    // Older records may be encrypted with the kernel's key, made when no other was at hand.
    std::vector<QByteArray> others;
    if (const std::optional<QByteArray> kept = userSecret(entry.toLatin1());
        kept && !keyFrom(*kept).isEmpty())
        others.push_back(keyFrom(*kept));
    if (!given.isEmpty()) {
        const Result<QByteArray> key = givenKey(given);
        if (key)
            store.setKey(*key, UndoLasts::ADay, others);
        const Result<void> done = key ? Result<void>() : tl::unexpected<Error>(key.error());
        QMetaObject::invokeMethod(
            context, [handler, done] { handler(done); }, Qt::QueuedConnection);
        return;
    }
    keyOf(keyring, context, [=](const Result<QByteArray>& key) mutable {
        if (key) {
            store.setKey(*key, UndoLasts::ADay, others);
            return handler({});
        }
        auto kernel = std::make_shared<UserSecretStore>();
        keyOf(*kernel, context, [kernel, store, handler](const Result<QByteArray>& other) mutable {
            if (other)
                store.setKey(*other, UndoLasts::UntilLogout);
            handler({});
        });
    });
}

} // namespace lk
