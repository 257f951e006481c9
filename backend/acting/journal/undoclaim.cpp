// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/acting/journal/undoclaim.h"

#include "backend/libraries/api/action.h"
#include "backend/libraries/api/keyfingerprint.h"

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
        if (dumps[i].isError() || !hasFingerprint(dumps[i], record.after[i].second))
            return false;
    }
    return !record.after.empty();
}

void claimDoubtful(Link& connection, JournalWriter& disk, const UndoStore& store,
                   const UndoRecord& record, const QByteArray& receipt, QObject* context,
                   const std::function<void(const Result<void>&)>& handler)
{
    const Error unsure{
        ErrorCode::NotFound,
        ActionText::tr("Whether %1 was undone is unknown, and the keys have changed since or are "
                       "too large to compare: check them")
            .arg(QString::fromLatin1(receipt))};
    std::vector<Command> reads;
    for (const auto& [key, fingerprint] : record.after)
        reads.push_back({"DUMP", key});
    if (reads.empty())
        return handler(tl::unexpected(unsure));
    const auto onDumps = [&disk, store, record, receipt, context, handler,
                          unsure](const BatchResult& dumps) {
        if (!dumps)
            return handler(tl::unexpected<Error>(dumps.error()));
        if (!isAsLeft(record, *dumps))
            return handler(tl::unexpected(unsure));
        disk.write(
            [store = UndoStore(store), receipt](Journal&) mutable {
                return store.claimDoubtful(receipt)
                           ? Result<void>()
                           : Result<void>(tl::unexpected(goneError(receipt)));
            },
            context, handler,
            [store = UndoStore(store), receipt](Journal&) mutable {
                store.doubt(receipt);
                return Result<void>();
            });
    };
    connection.send(reads, context, onDumps);
}

} // namespace

void claimUndo(Link& connection, JournalWriter& disk, const UndoStore& store,
               const QByteArray& receipt, QObject* context,
               std::function<void(const Result<void>&)> handler)
{
    struct Found
    {
        UndoStore::Claim claim = UndoStore::Claim::Gone;
        Result<UndoRecord> record = failure(ErrorCode::NotFound);
    };
    const auto found = std::make_shared<Found>();
    const auto take = [store = UndoStore(store), receipt, found](Journal&) mutable {
        found->claim = store.claim(receipt);
        if (found->claim == UndoStore::Claim::Doubtful)
            found->record = store.load(receipt, 0);
        return Result<void>();
    };
    const auto onTaken = [&connection, &disk, store, receipt, context, handler,
                          found](const Result<void>&) {
        if (found->claim == UndoStore::Claim::Taken)
            return handler({});
        if (found->claim == UndoStore::Claim::Gone)
            return handler(tl::unexpected(goneError(receipt)));
        if (!found->record)
            return handler(tl::unexpected<Error>(found->record.error()));
        claimDoubtful(connection, disk, store, *found->record, receipt, context, handler);
    };
    disk.write(take, context, onTaken,
               [store = UndoStore(store), receipt, found](Journal&) mutable {
                   if (found->claim == UndoStore::Claim::Taken)
                       store.giveBack(receipt);
                   return Result<void>();
               });
}

} // namespace lk
