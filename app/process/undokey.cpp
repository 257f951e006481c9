// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/process/undokey.h"

#include "backend/actions/journal/undoshelf.h"

namespace lk {

namespace {

using KeyHandler = std::function<void(const Result<QByteArray>&)>;

const QString entry = QStringLiteral("undo-records");

QByteArray keyFrom(const QString& text)
{
    const QByteArray key = QByteArray::fromBase64(text.toLatin1());
    return key.size() == FolderUndoShelf::keyBytes ? key : QByteArray();
}

// Another program may have made one at the same moment: what is read back counts.
void readBack(SecretStore& keyring, QObject* context, const KeyHandler& handler)
{
    keyring.read(entry, context, [handler](const Result<QString>& secret) {
        if (!secret)
            return handler(tl::unexpected<Error>(secret.error()));
        const QByteArray key = keyFrom(*secret);
        if (key.isEmpty())
            return handler(failure(ErrorCode::Undecodable, entry));
        handler(key);
    });
}

} // namespace

void fetchUndoKey(SecretStore& keyring, QObject* context, KeyHandler handler)
{
    keyring.read(entry, context, [&keyring, context, handler](const Result<QString>& secret) {
        const QByteArray known = secret ? keyFrom(*secret) : QByteArray();
        if (!known.isEmpty())
            return handler(known);
        if (!secret && secret.error().code != ErrorCode::NotFound)
            return handler(tl::unexpected<Error>(secret.error()));
        keyring.write(entry, QString::fromLatin1(FolderUndoShelf::newKey().toBase64()), context,
                      [&keyring, context, handler](const Result<void>& written) {
                          if (!written)
                              return handler(tl::unexpected<Error>(written.error()));
                          readBack(keyring, context, handler);
                      });
    });
}

} // namespace lk
