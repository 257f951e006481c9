// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/findings/livefindings.h"
#include "widgets/controls/panels/detailframe.h"

class QLabel;
class QPushButton;
class QToolButton;

namespace lk {

class ElidedLabel;
class FactGrid;
class Section;
class Session;

/// The details of a finding: the message, why it matters, what to do, the step that fixes it, the
/// way to the object, and how to silence it.
class FindingDetail final : public DetailFrame
{
    Q_OBJECT

public:
    explicit FindingDetail(QWidget* parent = nullptr);

    /// Null: none is chosen. gone: it is no longer seen.
    void show(const LiveFindingPtr& live, const Session* session, bool gone);

signals:
    void fixWanted();
    void objectWanted();
    void silenceWanted();
    void momentWanted(); ///< when it was first seen

private:
    QWidget* buildPage();
    QWidget* buildBar();
    void showHead(const LiveFinding& live, bool gone);
    void updateIcon();
    void showSteps(const LiveFinding& live, const Session& session, bool gone);

    LiveFindingPtr m_shown;
    bool m_gone = false;
    ElidedLabel* m_name;
    QLabel* m_icon;
    QLabel* m_word;
    QLabel* m_message;
    QLabel* m_why;
    QLabel* m_advice;
    FactGrid* m_facts;
    Section* m_silencing;
    QLabel* m_toml;
    QToolButton* m_copy;
    QToolButton* m_silence;
    QPushButton* m_fix;
    QPushButton* m_go;
    QPushButton* m_then;
    QLabel* m_whyNot;
};

} // namespace lk
