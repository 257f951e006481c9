// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/acting/undo/groupundo.h"

#include <QCoreApplication>
#include <QSet>

#include <algorithm>

namespace lk {

namespace {

struct Text
{
    Q_DECLARE_TR_FUNCTIONS(lk::GroupUndo)
};

} // namespace

Result<std::vector<JournalEntry>> undoableSteps(const Journal::Contents& journal,
                                                const QByteArray& group)
{
    QSet<QByteArray> undone;
    bool known = false;
    for (const JournalEntry& entry : journal.entries) {
        if (entry.outcome == Outcome::Succeeded)
            undone.insert(entry.undoes);
        known |= entry.group == group;
    }
    std::vector<JournalEntry> steps;
    for (auto entry = journal.entries.rbegin(); entry != journal.entries.rend(); ++entry) {
        if (entry->group == group && entry->outcome == Outcome::Succeeded &&
            !undone.contains(entry->receipt))
            steps.push_back(*entry);
    }
    if (!steps.empty())
        return steps;
    const QString name = QString::fromLatin1(group);
    return failure(ErrorCode::NotFound,
                   known ? Text::tr("Nothing in %1 can be undone any more").arg(name)
                         : Text::tr("The journal has no group %1").arg(name));
}

} // namespace lk
