//! Switches as flags and variables: one of each for every entry of `emulator::SWITCHES`.

use clap::builder::{PossibleValue, PossibleValuesParser};
use clap::{Arg, ArgMatches, Args, Command, Error, FromArgMatches};
use emulator::{SWITCHES, Switch, Switches};

/// The switches that were given, by name.
#[derive(Debug, Default)]
pub(crate) struct SwitchFlags(pub(crate) Vec<(String, String)>);

impl Args for SwitchFlags {
    fn augment_args(command: Command) -> Command {
        SWITCHES.iter().fold(command, |command, switch| command.arg(argument(switch)))
    }

    fn augment_args_for_update(command: Command) -> Command {
        SwitchFlags::augment_args(command)
    }
}

impl FromArgMatches for SwitchFlags {
    fn from_arg_matches(matches: &ArgMatches) -> Result<SwitchFlags, Error> {
        let given = |switch: &Switch| Some((switch.name.to_owned(), matches.get_one::<String>(switch.name)?.clone()));
        Ok(SwitchFlags(SWITCHES.iter().filter_map(given).collect()))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        *self = SwitchFlags::from_arg_matches(matches)?;
        Ok(())
    }
}

fn argument(switch: &'static Switch) -> Arg {
    let variable = format!("CLOUDCONTROL_EMULATOR_{}", switch.name.to_ascii_uppercase().replace('-', "_"));
    let argument = Arg::new(switch.name)
        .long(switch.name)
        .value_name(switch.value_name)
        .help(format!("{} [default: {}]", switch.help, (switch.get)(&Switches::default())))
        // clap wants names that live as long as the process, and the command is made once.
        .env(&*variable.leak())
        .hide_env_values(true);
    if switch.values.is_empty() {
        return argument
            .value_parser(move |text: &str| Switches::default().set(switch.name, text).map(|()| text.to_owned()));
    }
    let value = |name: &'static str| match (switch.name, name) {
        ("event-model", "identifier") => PossibleValue::new(name).alias("sparse"),
        _ => PossibleValue::new(name),
    };
    argument.value_parser(PossibleValuesParser::new(switch.values.iter().map(|name| value(name))))
}
