// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/alerts/alert.h"
#include "widgets/alerts/alertmodel.h"
#include "widgets/controls/panels/detailframe.h"

class QLabel;
class QPushButton;

namespace lk {

class ElidedLabel;
class FactGrid;

/// The details of an alert, and the actions on it.
class AlertDetail final : public DetailFrame
{
    Q_OBJECT

public:
    explicit AlertDetail(QWidget* parent = nullptr);

    /// Which of its buttons can be pressed.
    struct Can
    {
        bool act = false;    ///< acknowledge and silence: not in the past
        bool object = false; ///< show its primitive, which exists
        bool moment = false; ///< show when it fired: it was recorded
    };
    /// Null: none is chosen. silence: of one that is silenced.
    void show(const AlertPtr& alert, AlertStanding standing, const Silence* silence,
              const Can& can);

signals:
    void acknowledgeWanted();
    void silenceWanted();
    void silenceEndWanted();
    void objectWanted();
    void momentWanted(); ///< when it fired

private:
    QWidget* buildBar();
    void updateIcon();

    AlertPtr m_shown;
    ElidedLabel* m_name;
    QLabel* m_icon;
    QLabel* m_word;
    QLabel* m_text;
    FactGrid* m_facts;
    QPushButton* m_acknowledge;
    QPushButton* m_silence;
    QPushButton* m_endSilence;
    QPushButton* m_show;
    QPushButton* m_then;
};

} // namespace lk
