// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/session/session.h"
#include "widgets/actions/actiondraft.h"

#include <QWidget>

namespace lk {

/// What a kind shows of one primitive below the pane's header. Kept and fed by DetailPane.
class DetailBody : public QWidget
{
    Q_OBJECT

public:
    using QWidget::QWidget;

    /// Another primitive than before is shown: forget what was kept of the last.
    virtual void begin(Session& session, Handle handle) = 0;
    /// Its state is new.
    virtual void showState(Session& session, Handle handle, const State& state) = 0;
    /// Time has passed, about four times a second while the pane is seen.
    virtual void showTime(Session& session, Handle handle, qint64 serverNowMs) = 0;
    /// Jobs chosen in a list; its count is 0 where none are.
    virtual JobChoice chosenJobs() const { return {}; }
    /// What is chosen in the body besides, by the parameter that it answers: "owner".
    virtual std::map<QByteArray, QByteArray> chosenValues() const { return {}; }
    /// The pane has the whole board: show what needs the room. False: a body has nothing for it.
    virtual bool setWide(bool) { return false; }

    /// Takes the charts that only a layout has among its own. False: they stand below the body.
    virtual bool placeCharts(QWidget*) { return false; }

signals:
    /// To what is chosen in the body.
    void actionChosen(const lk::Action* action);
    void wideWanted(bool wide);
};

/// The body for a kind. Owned by the caller.
DetailBody* makeDetailBody(Kind kind);

} // namespace lk
