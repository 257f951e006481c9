// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/snapshot.h"
#include "backend/session/search/searchresults.h"

#include <QObject>

namespace lk {

/// Searches all primitives for a text: names, keys, owners, clients, workers, jobs in progress.
/// Lives in the worker thread, so that no search blocks the window.
class PrimitiveSearch final : public QObject
{
    Q_OBJECT

public:
    /// states: owned by an object that lives in the same thread and outlives this, so that a
    /// million states are not stored twice.
    explicit PrimitiveSearch(const HandleTable<KeptState>& states)
        : m_states(states)
    {}

public slots:
    /// Searches; found() returns the result. Parses the text as NameFilter does. A single character
    /// matches only a whole part of a name. An empty text finds nothing.
    void search(const QString& text);

signals:
    void found(const lk::SearchResultsPtr& results);

private:
    const HandleTable<KeptState>& m_states;
};

} // namespace lk
