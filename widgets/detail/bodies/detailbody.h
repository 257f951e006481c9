// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/session/session.h"
#include "widgets/actions/actiondraft.h"

#include <QWidget>

namespace lk {

/// The part of a detail pane that depends on the kind, below the header. Owned and fed by
/// DetailPane.
class DetailBody : public QWidget
{
    Q_OBJECT

public:
    using QWidget::QWidget;

    /// Another primitive is shown: forgets data of the last one.
    virtual void begin(Session& session, Handle handle) = 0;
    /// The primitive has a new state.
    virtual void showState(Session& session, Handle handle, const State& state) = 0;
    /// Time has passed. Called about four times a second while the pane is visible.
    virtual void showTime(Session& session, Handle handle, qint64 serverNowMs) = 0;
    /// Returns the jobs that are chosen in a list; the count is 0 if none are.
    virtual JobChoice chosenJobs() const { return {}; }
    /// Returns other values that are chosen in the body, by the parameter that they answer:
    /// "owner".
    virtual std::map<QByteArray, QByteArray> chosenValues() const { return {}; }
    /// The pane has the whole board: show contents that need the room. Returns false if the body
    /// has none.
    virtual bool setWide(bool) { return false; }

    /// Places the layout's charts among the body's own. Returns false if they stand below the body.
    virtual bool placeCharts(QWidget*) { return false; }

signals:
    /// The action applies to the selection in the body.
    void actionChosen(const lk::Action* action);
    void wideWanted(bool wide);
};

/// The body for a kind. Owned by the caller.
DetailBody* makeDetailBody(Kind kind);

} // namespace lk
