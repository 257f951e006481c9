// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/snapshot.h"
#include "backend/session/search/searchresults.h"

#include <QObject>

namespace lk {

/// Looks for a text in all primitives: names, keys, owners, clients, workers, jobs in progress.
/// Lives in the worker thread, so that no search holds the window up.
class PrimitiveSearch final : public QObject
{
    Q_OBJECT

public:
    /// states: of an object that lives in the same thread and outlives this: a million are not kept
    /// twice.
    explicit PrimitiveSearch(const HandleTable<KeptState>& states)
        : m_states(states)
    {}

public slots:
    /// found() brings it. As NameFilter reads the text; one character alone is looked for as a
    /// whole part of a name. Nothing typed finds nothing.
    void search(const QString& text);

signals:
    void found(const lk::SearchResultsPtr& results);

private:
    const HandleTable<KeptState>& m_states;
};

} // namespace lk
