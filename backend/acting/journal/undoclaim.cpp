// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/acting/journal/undoclaim.h"

#include "backend/libraries/api/action.h"
#include "backend/libraries/api/keyfingerprint.h"
#include "backend/redis/replies.h"

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

Error unsureError(const QByteArray& receipt)
{
    return {ErrorCode::NotFound,
            ActionText::tr("Whether %1 was undone is unknown, and the keys have changed since or "
                           "are too large to compare: check them")
                .arg(QString::fromLatin1(receipt))};
}

} // namespace

Task<Result<void>> claimUndo(Link& connection, JournalWriter& disk, UndoStore store,
                             QByteArray receipt, QObject* context)
{
    struct Found // by the journal thread
    {
        UndoStore::Claim claim = UndoStore::Claim::Gone;
        Result<UndoRecord> record = failure(ErrorCode::NotFound);
    };
    const auto found = std::make_shared<Found>();
    const auto take = [store, receipt, found](Journal&) mutable {
        found->claim = store.claim(receipt);
        if (found->claim == UndoStore::Claim::Doubtful)
            found->record = store.load(receipt, 0);
        return Result<void>();
    };
    const auto giveBack = [store, receipt, found](Journal&) mutable {
        if (found->claim == UndoStore::Claim::Taken)
            store.giveBack(receipt);
        return Result<void>();
    };
    co_await Awaited<Result<void>>([&](auto then) { disk.write(take, context, then, giveBack); });
    if (found->claim == UndoStore::Claim::Taken)
        co_return Result<void>();
    if (found->claim == UndoStore::Claim::Gone)
        co_return tl::unexpected(goneError(receipt));
    if (!found->record)
        co_return tl::unexpected<Error>(found->record.error());
    // Doubtful: the keys tell whether the earlier run did anything.
    std::vector<Command> reads;
    for (const auto& [key, fingerprint] : found->record->after)
        reads.push_back({"DUMP", key});
    if (reads.empty())
        co_return tl::unexpected(unsureError(receipt));
    const BatchResult dumps = co_await replies(connection, reads, context);
    if (!dumps)
        co_return tl::unexpected<Error>(dumps.error());
    if (!isAsLeft(*found->record, *dumps))
        co_return tl::unexpected(unsureError(receipt));
    const auto takeDoubtful = [store, receipt](Journal&) mutable {
        return store.claimDoubtful(receipt) ? Result<void>()
                                            : Result<void>(tl::unexpected(goneError(receipt)));
    };
    const auto doubtAgain = [store, receipt](Journal&) mutable {
        store.doubt(receipt);
        return Result<void>();
    };
    const Result<void> claimed = co_await Awaited<Result<void>>(
        [&](auto then) { disk.write(takeDoubtful, context, then, doubtAgain); });
    co_return claimed;
}

} // namespace lk
