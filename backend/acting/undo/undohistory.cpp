// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/acting/undo/undohistory.h"

namespace lk {

namespace {

constexpr size_t mostRuns = 100;

}

void UndoHistory::note(quint64 ticket, const Receipt& receipt)
{
    if (receipt.outcome != Outcome::Succeeded)
        return;
    if (!receipt.undoes.isEmpty()) {
        for (Run& run : m_runs)
            run.receipts.removeAll(receipt.undoes);
        std::erase_if(m_runs, [](const Run& run) { return run.receipts.isEmpty(); });
    } else if (receipt.undoable) {
        if (m_runs.empty() || m_runs.back().ticket != ticket)
            m_runs.push_back({ticket, {}});
        m_runs.back().receipts.prepend(receipt.id);
        if (m_runs.size() > mostRuns)
            m_runs.erase(m_runs.begin());
    }
}

QByteArrayList UndoHistory::last() const
{
    return m_runs.empty() ? QByteArrayList() : m_runs.back().receipts;
}

} // namespace lk
