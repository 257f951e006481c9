// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/actions/journal/undoclaim.h"

#include "backend/actions/action.h"

#include <QCryptographicHash>

namespace lk {

namespace {

Error goneError(const QByteArray& receipt)
{
    return {ErrorCode::NotFound, ActionText::tr("%1 was undone already, or is being undone")
                                     .arg(QString::fromLatin1(receipt))};
}

bool isAsLeft(const UndoRecord& record, const std::vector<Reply>& dumps)
{
    for (size_t i = 0; i < record.after.size(); ++i) {
        const QByteArray now =
            dumps[i].isText()
                ? QCryptographicHash::hash(dumps[i].text, QCryptographicHash::Sha1).toHex()
                : QByteArray();
        if (dumps[i].isError() || now != record.after[i].second)
            return false;
    }
    return !record.after.empty();
}

} // namespace

void claimUndo(Connection& connection, const UndoStore& shared, const QByteArray& receipt,
               QObject* context, std::function<void(const Result<void>&)> handler)
{
    UndoStore store = shared;
    const auto answerLater = [context, handler](const Result<void>& result) {
        QMetaObject::invokeMethod(
            context, [handler, result] { handler(result); }, Qt::QueuedConnection);
    };
    const UndoStore::Claim claim = store.claim(receipt);
    if (claim == UndoStore::Claim::Taken)
        return handler({});
    if (claim == UndoStore::Claim::Gone)
        return answerLater(tl::unexpected(goneError(receipt)));
    const Result<UndoRecord> record = store.load(receipt, 0);
    if (!record)
        return answerLater(tl::unexpected(record.error()));
    const Error unsure{
        ErrorCode::NotFound,
        ActionText::tr("Whether %1 was undone is unknown, and the keys have changed since or are "
                       "too large to compare: check them")
            .arg(QString::fromLatin1(receipt))};
    std::vector<Command> reads;
    for (const auto& [key, fingerprint] : record->after)
        reads.push_back({"DUMP", key});
    if (reads.empty())
        return answerLater(tl::unexpected(unsure));
    connection.send(
        reads, context,
        [store, receipt, handler, unsure, record = *record](const BatchResult& dumps) mutable {
            if (!dumps)
                return handler(tl::unexpected<Error>(dumps.error()));
            if (!isAsLeft(record, *dumps))
                return handler(tl::unexpected(unsure));
            if (!store.claimDoubtful(receipt))
                return handler(tl::unexpected(goneError(receipt)));
            handler({});
        });
}

} // namespace lk
